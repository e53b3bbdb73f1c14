DROP INDEX "products_seller_idx";--> statement-breakpoint
CREATE INDEX "offer_showings_offer_idx" ON "offer_showings" USING btree ("offer_id");--> statement-breakpoint
CREATE INDEX "products_seller_idx" ON "products" USING btree ("seller_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);