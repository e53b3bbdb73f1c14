CREATE TABLE "pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"seller_id" uuid NOT NULL,
	"place" text NOT NULL,
	"source_id" uuid,
	"due_at" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"key" text,
	"pack_id" uuid,
	"variants" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"width" integer,
	"height" integer,
	"fallback" text,
	"is_animated" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp (3) with time zone,
	CONSTRAINT "pictures_place_check" CHECK ("pictures"."place" in ('product', 'bump', 'offer', 'banner', 'logo')),
	CONSTRAINT "pictures_failure_check" CHECK ("pictures"."failure" in ('heic', 'vector', 'unknown', 'broken', 'points', 'heavy')),
	CONSTRAINT "pictures_ready_check" CHECK (("pictures"."ready_at" is not null) = (num_nulls("pictures"."key", "pictures"."pack_id", "pictures"."width", "pictures"."height", "pictures"."fallback") = 0))
);
--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_source_id_files_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."files"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_pack_id_files_id_fk" FOREIGN KEY ("pack_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pictures_key_idx" ON "pictures" USING btree ("key") WHERE key is not null;--> statement-breakpoint
CREATE INDEX "pictures_seller_idx" ON "pictures" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "pictures_due_idx" ON "pictures" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "pictures_touched_idx" ON "pictures" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "pictures_source_idx" ON "pictures" USING btree ("source_id") WHERE source_id is not null;--> statement-breakpoint
CREATE INDEX "pictures_pack_idx" ON "pictures" USING btree ("pack_id") WHERE pack_id is not null;