CREATE TABLE "idempotency_keys" (
	"key" text PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"busy_until" timestamp (3) with time zone NOT NULL,
	"sale_id" uuid,
	"charge_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_idx" ON "idempotency_keys" USING btree ("created_at");