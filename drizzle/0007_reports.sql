CREATE TABLE "report_buyers" (
	"seller_id" uuid NOT NULL,
	"email" text NOT NULL,
	"last_completed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "report_buyers_seller_id_email_pk" PRIMARY KEY("seller_id","email")
);
--> statement-breakpoint
CREATE TABLE "report_days" (
	"seller_id" uuid NOT NULL,
	"day" date NOT NULL,
	"dimension" text NOT NULL,
	"key" text NOT NULL,
	"created" integer NOT NULL,
	"converted" integer NOT NULL,
	"sold" integer NOT NULL,
	"revenue_cents" bigint NOT NULL,
	"with_bump" integer NOT NULL,
	"offers" integer NOT NULL,
	"mails" integer NOT NULL,
	"mails_sent" integer NOT NULL,
	"mails_failed" integer NOT NULL,
	"mail_tries" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "report_marks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "report_marks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" uuid NOT NULL,
	"day" date NOT NULL,
	"email" text
);
--> statement-breakpoint
DROP INDEX "sales_seller_idx";--> statement-breakpoint
DROP INDEX "sales_product_idx";--> statement-breakpoint
ALTER TABLE "report_buyers" ADD CONSTRAINT "report_buyers_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "report_days" ADD CONSTRAINT "report_days_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "report_buyers_last_idx" ON "report_buyers" USING btree ("seller_id","last_completed_at");--> statement-breakpoint
CREATE INDEX "report_days_idx" ON "report_days" USING btree ("seller_id","dimension","day");--> statement-breakpoint
CREATE INDEX "report_marks_idx" ON "report_marks" USING btree ("seller_id","day");--> statement-breakpoint
CREATE INDEX "mails_unsent_idx" ON "mails" USING btree ("seller_id","status","created_at") WHERE status <> 'sent';--> statement-breakpoint
CREATE INDEX "sales_status_idx" ON "sales" USING btree ("seller_id","status","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sales_buyer_idx" ON "sales" USING btree ("seller_id","customer_email" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "sales_buyer_words_idx" ON "sales" USING gin (to_tsvector('simple', lower(translate(customer_name || ' ' || split_part(customer_email, '@', 1), 'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ.+_-', 'AAAAAEEEEIIIIOOOOOUUUUCNaaaaaeeeeiiiiooooouuuucn    '))));--> statement-breakpoint
CREATE INDEX "sales_seller_idx" ON "sales" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "sales_product_idx" ON "sales" USING btree ("product_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
-- Days and buyers whose kept figures a change of a sale makes out of date: those it counted on and those it counts on now.
CREATE FUNCTION mark_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_marks (seller_id, day, email)
  SELECT DISTINCT v.seller_id, (v.at AT TIME ZONE 'America/Sao_Paulo')::date, nullif(v.email, '')
  FROM (VALUES
    (new.seller_id, new.created_at, NULL), (new.seller_id, new.completed_at, new.customer_email),
    (old.seller_id, old.created_at, NULL), (old.seller_id, old.completed_at, old.customer_email)
  ) AS v (seller_id, at, email)
  WHERE v.at IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER mark_sale AFTER INSERT OR DELETE OR UPDATE OF
  seller_id, product_id, parent_sale_id, status, amount_cents, payment_method, customer_email,
  utm_source, utm_medium, utm_campaign, created_at, completed_at
ON sales FOR EACH ROW EXECUTE FUNCTION mark_sale();--> statement-breakpoint
CREATE FUNCTION mark_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_marks (seller_id, day)
  VALUES (new.seller_id, (new.created_at AT TIME ZONE 'America/Sao_Paulo')::date);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER mark_new_mail AFTER INSERT ON mails FOR EACH ROW
WHEN (new.seller_id IS NOT NULL AND new.sale_id IS NOT NULL AND new.kind <> 'new-sale')
EXECUTE FUNCTION mark_mail();--> statement-breakpoint
CREATE TRIGGER mark_mail AFTER UPDATE OF status, attempts ON mails FOR EACH ROW
WHEN (new.seller_id IS NOT NULL AND new.sale_id IS NOT NULL AND new.kind <> 'new-sale'
  AND (old.status, greatest(old.attempts, 1)) IS DISTINCT FROM (new.status, greatest(new.attempts, 1)))
EXECUTE FUNCTION mark_mail();--> statement-breakpoint
-- What was sold before these tables stood here is counted by the first `refresh-reports`.
INSERT INTO report_marks (seller_id, day, email)
SELECT DISTINCT seller_id, (v.at AT TIME ZONE 'America/Sao_Paulo')::date, nullif(v.email, '')
FROM sales, LATERAL (VALUES (created_at, NULL), (completed_at, customer_email)) AS v (at, email)
WHERE v.at IS NOT NULL;
