-- The bytes of a stored response, so that those of a business can be summed up without reading them.
ALTER TABLE once ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
CREATE INDEX once_by_bytes ON once (business_id, expires_at, bytes) WHERE bytes > 0;

-- Finds rows that are older than they are kept.
CREATE INDEX generation_ended ON generation (business_id, updated_at) WHERE lease IS NULL;
CREATE INDEX idea_by_generation ON idea (business_id, generation_id);
CREATE INDEX audit_by_time ON audit (business_id, at);
CREATE INDEX usage_by_day ON usage (business_id, day);
