--> statement-breakpoint
-- The buyers are counted anew, now with their days.
DELETE FROM report_buyers;--> statement-breakpoint
INSERT INTO report_marks (seller_id, day, email)
SELECT DISTINCT seller_id, (completed_at AT TIME ZONE 'America/Sao_Paulo')::date, nullif(customer_email, '')
FROM sales WHERE completed_at IS NOT NULL;
