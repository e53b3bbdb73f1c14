CREATE TABLE "report_buyer_days" (
	"seller_id" uuid NOT NULL,
	"day" date NOT NULL,
	"buyers" integer NOT NULL,
	CONSTRAINT "report_buyer_days_seller_id_day_pk" PRIMARY KEY("seller_id","day")
);
--> statement-breakpoint
DROP INDEX "report_buyers_last_idx";--> statement-breakpoint
DROP INDEX "sales_buyer_words_idx";--> statement-breakpoint
ALTER TABLE "report_buyer_days" ADD CONSTRAINT "report_buyer_days_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sales_buyer_words_idx" ON "sales" USING gin (to_tsvector('simple', regexp_replace(lower(translate(customer_name || ' ' || split_part(customer_email, '@', 1), 'ÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑáàâãäéèêëíìîïóòôõöúùûüçñ.+_-/:''"()&#', 'AAAAAEEEEIIIIOOOOOUUUUCNaaaaaeeeeiiiiooooouuuucn            ')), '([a-z0-9]+)', 's' || left(replace(seller_id::text, '-', ''), 16) || '\1', 'g')));--> statement-breakpoint
-- The buyers are counted anew, now with their days.
DELETE FROM report_buyers;--> statement-breakpoint
INSERT INTO report_marks (seller_id, day, email)
SELECT DISTINCT seller_id, (completed_at AT TIME ZONE 'America/Sao_Paulo')::date, nullif(customer_email, '')
FROM sales WHERE completed_at IS NOT NULL;
