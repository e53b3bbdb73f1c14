CREATE TABLE "content_items" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"content_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"name" text NOT NULL,
	"file_id" uuid,
	"url" text,
	"html" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "content_items_kind_check" CHECK ("content_items"."kind" in ('file', 'link', 'text')),
	CONSTRAINT "content_items_file_check" CHECK (("content_items"."kind" = 'file') = ("content_items"."file_id" is not null)),
	CONSTRAINT "content_items_url_check" CHECK (("content_items"."kind" = 'link') = ("content_items"."url" is not null)),
	CONSTRAINT "content_items_html_check" CHECK (("content_items"."kind" = 'text') = ("content_items"."html" is not null))
);
--> statement-breakpoint
CREATE TABLE "contents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"product_id" bigint,
	"order_bump_id" bigint,
	"upsell_offer_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contents_owner_check" CHECK (num_nonnulls("contents"."product_id", "contents"."order_bump_id", "contents"."upsell_offer_id") <= 1)
);
--> statement-breakpoint
CREATE TABLE "download_resets" (
	"sale_id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "downloads" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "downloads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sale_id" uuid NOT NULL,
	"line_id" uuid NOT NULL,
	"item_id" uuid NOT NULL,
	"ticket" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seller_id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_id" uuid,
	"replaces_item_id" uuid,
	"size" bigint NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"content_type" text,
	"upload_ref" text,
	"parts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp (3) with time zone,
	"missing_at" timestamp (3) with time zone,
	CONSTRAINT "files_size_check" CHECK ("files"."size" > 0 and "files"."received" between 0 and "files"."size"),
	CONSTRAINT "files_ready_check" CHECK (("files"."ready_at" is not null) = ("files"."content_type" is not null))
);
--> statement-breakpoint
CREATE TABLE "line_contents" (
	"line_id" uuid PRIMARY KEY NOT NULL,
	"content_id" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "content_items" ADD CONSTRAINT "content_items_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_items" ADD CONSTRAINT "content_items_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contents" ADD CONSTRAINT "contents_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contents" ADD CONSTRAINT "contents_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contents" ADD CONSTRAINT "contents_order_bump_id_order_bumps_id_fk" FOREIGN KEY ("order_bump_id") REFERENCES "public"."order_bumps"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contents" ADD CONSTRAINT "contents_upsell_offer_id_upsell_offers_id_fk" FOREIGN KEY ("upsell_offer_id") REFERENCES "public"."upsell_offers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "download_resets" ADD CONSTRAINT "download_resets_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "downloads" ADD CONSTRAINT "downloads_sale_id_sales_id_fk" FOREIGN KEY ("sale_id") REFERENCES "public"."sales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "downloads" ADD CONSTRAINT "downloads_line_id_sale_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."sale_lines"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_seller_id_sellers_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."sellers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_contents" ADD CONSTRAINT "line_contents_line_id_sale_lines_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."sale_lines"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "line_contents" ADD CONSTRAINT "line_contents_content_id_contents_id_fk" FOREIGN KEY ("content_id") REFERENCES "public"."contents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "content_items_content_idx" ON "content_items" USING btree ("content_id","position");--> statement-breakpoint
CREATE INDEX "content_items_file_idx" ON "content_items" USING btree ("file_id") WHERE file_id is not null;--> statement-breakpoint
CREATE INDEX "contents_seller_idx" ON "contents" USING btree ("seller_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contents_product_key" ON "contents" USING btree ("product_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contents_order_bump_key" ON "contents" USING btree ("order_bump_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contents_upsell_offer_key" ON "contents" USING btree ("upsell_offer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "downloads_ticket_key" ON "downloads" USING btree ("ticket");--> statement-breakpoint
CREATE INDEX "downloads_sale_idx" ON "downloads" USING btree ("sale_id","item_id","at");--> statement-breakpoint
CREATE INDEX "downloads_line_idx" ON "downloads" USING btree ("line_id");--> statement-breakpoint
CREATE INDEX "files_seller_idx" ON "files" USING btree ("seller_id","created_at");--> statement-breakpoint
CREATE INDEX "files_touched_idx" ON "files" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "files_content_idx" ON "files" USING btree ("content_id") WHERE content_id is not null;--> statement-breakpoint
CREATE INDEX "line_contents_content_idx" ON "line_contents" USING btree ("content_id");