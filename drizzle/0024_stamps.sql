CREATE TABLE "stamps" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"sale_id" uuid,
	"words_key" text,
	"due_at" timestamp (3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"failure" text,
	"copy_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stamps_failure_check" CHECK ("stamps"."failure" in ('locked', 'signed', 'broken', 'pages', 'heavy', 'full', 'gone')),
	CONSTRAINT "stamps_words_check" CHECK (("stamps"."sale_id" is not null) = ("stamps"."words_key" is not null))
);
--> statement-breakpoint
ALTER TABLE "content_items" ADD COLUMN "stamped_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "files" ADD COLUMN "is_copy" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stamps" ADD CONSTRAINT "stamps_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stamps" ADD CONSTRAINT "stamps_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stamps" ADD CONSTRAINT "stamps_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stamps" ADD CONSTRAINT "stamps_copy_id_files_id_fk" FOREIGN KEY ("copy_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "stamps_sale_key" ON "stamps" USING btree ("sale_id","file_id","words_key") WHERE sale_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "stamps_trial_key" ON "stamps" USING btree ("file_id") WHERE sale_id is null;--> statement-breakpoint
CREATE INDEX "stamps_file_idx" ON "stamps" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "stamps_seller_idx" ON "stamps" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "stamps_due_idx" ON "stamps" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "stamps_asked_idx" ON "stamps" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "stamps_copy_idx" ON "stamps" USING btree ("copy_id") WHERE copy_id is not null;