-- The bytes of a thumbnail, so that those of a business can be summed up in the index without reading them.
ALTER TABLE thumbnail ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
UPDATE thumbnail SET bytes = length(body) WHERE body IS NOT NULL;
DROP INDEX thumbnail_by_age;
CREATE INDEX thumbnail_by_age ON thumbnail (business_id, fetched_at, tile_id, bytes);
