-- What a seeded database gets beside its rows: counters of the statements, and what the APIs' own role may see.
-- Run by the database's owner, after schema.sql and seed.sql; the role loadlab_api is there already.

CREATE EXTENSION pg_stat_statements;

GRANT SELECT ON ALL TABLES IN SCHEMA public TO loadlab_api;

-- One row at most: the lab writes here which of its runs this server belongs to, and reads it back as the APIs' role.
CREATE SCHEMA loadlab;
CREATE TABLE loadlab.identity (nonce text NOT NULL);
GRANT USAGE ON SCHEMA loadlab TO loadlab_api;
GRANT SELECT ON loadlab.identity TO loadlab_api;
