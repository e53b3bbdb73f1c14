CREATE TABLE "erasures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"request_id" text
);
--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "emptied_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "emptied_as" text;--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sellers" ADD COLUMN "emptied_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "erasures_email_key" ON "erasures" USING btree ("email");--> statement-breakpoint
CREATE INDEX "erasures_due_idx" ON "erasures" USING btree ("due_at");--> statement-breakpoint
-- The buyer of an emptied sale goes on being counted, under the name drawn for them.
CREATE OR REPLACE FUNCTION mark_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_marks (seller_id, day, email)
  SELECT DISTINCT v.seller_id, (v.at AT TIME ZONE 'America/Sao_Paulo')::date, nullif(v.email, '')
  FROM (VALUES
    (new.seller_id, new.created_at, NULL),
    (new.seller_id, new.completed_at, coalesce(new.customer_email, new.emptied_as)),
    (old.seller_id, old.created_at, NULL),
    (old.seller_id, old.completed_at, coalesce(old.customer_email, old.emptied_as))
  ) AS v (seller_id, at, email)
  WHERE v.at IS NOT NULL;
  RETURN NULL;
END $$;
