ALTER TABLE "destinations" DROP CONSTRAINT "destinations_kind_check";--> statement-breakpoint
ALTER TABLE "destinations" ADD COLUMN "except_product_ids" bigint[];--> statement-breakpoint
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_kind_check" CHECK ("destinations"."kind" in ('webhook', 'meta', 'ga4', 'tiktok', 'kwai', 'cademi', 'memberkit', 'utmify')) NOT VALID;