-- The one table that both APIs read, and a note of which seed filled it.
-- Ordinary SQL: psql, a client library and docker-entrypoint-initdb.d all run it as it stands.

CREATE TABLE products (
    id          integer        PRIMARY KEY,
    name        text           NOT NULL,
    price       numeric(10, 2) NOT NULL,
    sold_at     timestamptz
);

-- The table never changes under load; a vacuum in the middle of a slice would be noise.
ALTER TABLE products SET (autovacuum_enabled = false);

CREATE TABLE loadlab_seed (
    version text PRIMARY KEY
);
