-- The language of the text as a BCP 47 tag; null detects it.
ALTER TABLE tile ADD COLUMN language_hint TEXT;
