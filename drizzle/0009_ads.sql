ALTER TABLE "destinations" DROP CONSTRAINT "destinations_kind_check";--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "ad_consent" boolean;--> statement-breakpoint
ALTER TABLE "sales" ADD COLUMN "ad_ids" jsonb;--> statement-breakpoint
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_kind_check" CHECK ("destinations"."kind" in ('webhook', 'meta', 'ga4', 'tiktok', 'kwai'));