SELECT id,
       name,
       price::text AS price,
       to_char(sold_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS sold_at
FROM products
WHERE name LIKE $1
ORDER BY id
LIMIT 100
