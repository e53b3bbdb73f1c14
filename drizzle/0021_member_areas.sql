ALTER TABLE "destinations" DROP CONSTRAINT "destinations_kind_check";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "about_email_sealed" text;--> statement-breakpoint
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_kind_check" CHECK ("destinations"."kind" in ('webhook', 'meta', 'ga4', 'tiktok', 'kwai', 'cademi', 'memberkit')) NOT VALID;