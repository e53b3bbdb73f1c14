CREATE TABLE "dropped_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"dropped_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "dropped_uploads_dropped_idx" ON "dropped_uploads" USING btree ("dropped_at");--> statement-breakpoint
CREATE FUNCTION note_dropped_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dropped_uploads (id) VALUES (old.id) ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER note_dropped AFTER DELETE ON files FOR EACH ROW
WHEN (old.ready_at IS NULL) EXECUTE FUNCTION note_dropped_upload();
