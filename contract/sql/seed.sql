-- 10,000 rows made by arithmetic alone: the same on every machine, whatever its random generator, locale or time zone.
-- Names hold what breaks careless JSON, HTML or LIKE code: quotes, <, &, backslash, %, _, non-ASCII, U+2028, an emoji.
-- Every hundredth row, up to the last, is a "Walnut": exactly 100 rows, so that the search with LIMIT 100 reads the whole table.

INSERT INTO products (id, name, price, sold_at)
SELECT
    n,
    CASE
        WHEN n % 100 = 0 THEN 'Walnut desk'
        ELSE (ARRAY[
            'Oak lamp',
            'Café table',
            '15" shelf',
            'Salt & oil',
            'Box <small>',
            'Größe L mat',
            'Rug 50% wool',
            'Part a_b',
            'Path C:\tmp',
            'Tea 茶 set',
            'Gift 🎁 bag',
            'Line' || U&'\2028' || 'break',
            'Cup O''Neil',
            'Tab' || E'\t' || 'pen',
            'Naïve art',
            'Plain bench',
            'Blue chair'
        ])[1 + n % 17]
    END,
    ((n::bigint * 7919) % 99000 + 1000)::numeric / 100,
    CASE
        WHEN n % 3 = 0 THEN NULL
        ELSE timestamptz '2024-01-01 00:00:00+00'
             + make_interval(mins => (n * 37) % 525600, secs => (n * 1009) % 60)
             + (n::bigint * 7907 % 1000000) * interval '1 microsecond'
    END
FROM generate_series(1, 10000) AS n
ORDER BY n;

INSERT INTO loadlab_seed (version) VALUES ('1');

ANALYZE products;
