-- Hint bits are set and the table is all-visible once, here, not by whoever reads first.
VACUUM ANALYZE products;
CHECKPOINT;
