-- Makes the newest old schema, with its rows, that of 1.0; `functions.sql` runs after it. Plain SQL, in order: append to it.

-- Functions and triggers go, so that nothing here sets them off; `functions.sql` makes those of 1.0.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT tgname, tgrelid::regclass AS of FROM pg_trigger t INNER JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', one.tgname, one.of);
  END LOOP;
  FOR one IN SELECT p.oid::regprocedure AS it FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('DROP FUNCTION %s', one.it);
  END LOOP;
END $$;

-- Rules that were made beside rows of before.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT conname, conrelid::regclass AS of FROM pg_constraint
    WHERE NOT convalidated AND connamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', one.of, one.conname);
  END LOOP;
END $$;

-- UTMify is a destination like the others: what its own tables kept moves to `destinations` and `outbox`.
INSERT INTO destinations (seller_id, kind, name, events, except_product_ids, settings, stopped_at, stopped_why)
SELECT p.seller_id, 'utmify', 'UTMify', ARRAY['pix.generated', 'sale.refused', 'sale.paid'], array_agg(p.id ORDER BY p.id),
  '{"apiUrl": null, "sourceId": "checkintelli", "isEnabled": false, "former": []}', now(), 'seller'
FROM tracking_products t INNER JOIN products p ON p.id = t.product_id
WHERE NOT t.is_enabled AND NOT EXISTS (SELECT FROM tracking_connections c WHERE c.seller_id = p.seller_id)
GROUP BY p.seller_id;
UPDATE destinations d
SET product_ids = NULL, settings = d.settings || jsonb_build_object('isEnabled', c.enabled_at IS NOT NULL)
FROM tracking_connections c
WHERE c.seller_id = d.seller_id AND d.kind = 'utmify' AND d.deleted_at IS NULL;
-- The last row of each state of a sale. The order that was sent is not kept: its document is encrypted inside of it.
INSERT INTO outbox (destination_id, seller_id, sale_id, subject_id, about_id, event, status, why, attempts, response_status,
  response_body, created_at, tried_at, cleared_at)
SELECT d.id, e.seller_id, e.sale_id, e.sale_id, e.sale_id,
  CASE e.state WHEN 'waiting_payment' THEN 'pix.generated' WHEN 'refused' THEN 'sale.refused' WHEN 'paid' THEN 'sale.paid'
    WHEN 'refunded' THEN 'sale.refunded' ELSE 'sale.chargedback' END,
  CASE e.status WHEN 'sent' THEN 'sent' WHEN 'failed' THEN 'refused' ELSE 'dropped' END,
  CASE e.status WHEN 'sent' THEN 'taken' WHEN 'queued' THEN 'restored' WHEN 'dropped' THEN 'outdated'
    ELSE CASE WHEN e.response_status IN (401, 403, 404) THEN 'token' WHEN e.response_status >= 500 THEN 'status'
      WHEN e.response_status > 0 THEN 'rejected' ELSE 'lost' END END,
  e.attempts, e.response_status, e.response_body, e.created_at, e.attempted_at, now()
FROM (
  SELECT DISTINCT ON (sale_id, state) * FROM tracking_events WHERE status <> 'moved' ORDER BY sale_id, state, resend DESC
) e INNER JOIN destinations d ON d.seller_id = e.seller_id AND d.kind = 'utmify' AND d.deleted_at IS NULL
ORDER BY e.created_at
ON CONFLICT (destination_id, about_id, event, part) DO NOTHING;
DROP TABLE tracking_events, tracking_products, tracking_connections;

-- What was paid before payments were checked at a pace has its first check soon, where the work that scheduled them had not ended.
INSERT INTO paced_checks (charge_id, seller_id, provider, due_at)
SELECT c.id, s.seller_id, c.provider, now() + random() * interval '20 hours' FROM charges c INNER JOIN sales s ON s.id = c.sale_id
WHERE c.status IN ('paid', 'mispaid') AND c.paid_at > now() - interval '90 days'
  AND NOT EXISTS (SELECT FROM backfills WHERE name = 'paced-checks' AND ended_at IS NOT NULL)
ON CONFLICT (charge_id) DO NOTHING;
DROP TABLE backfills;

-- Whose each row is.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT * FROM (VALUES
    ('order_bumps', 'product_id', 'products'),
    ('upsell_offers', 'product_id', 'products'),
    ('offer_sale_counts', 'upsell_offer_id', 'upsell_offers'),
    ('content_items', 'content_id', 'contents'),
    ('line_contents', 'content_id', 'contents'),
    ('sale_lines', 'sale_id', 'sales'),
    ('sale_events', 'sale_id', 'sales'),
    ('offer_showings', 'sale_id', 'sales'),
    ('downloads', 'sale_id', 'sales'),
    ('download_resets', 'sale_id', 'sales'),
    ('reminders', 'sale_id', 'sales'),
    ('charges', 'sale_id', 'sales'),
    ('charge_events', 'charge_id', 'charges'),
    ('refunds', 'charge_id', 'charges')
  ) AS owned (child, through, parent)
  LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN seller_id uuid', one.child);
    EXECUTE format('UPDATE %I c SET seller_id = p.seller_id FROM %I p WHERE p.id = c.%I', one.child, one.parent, one.through);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN seller_id SET NOT NULL, ADD CONSTRAINT %I FOREIGN KEY (seller_id) REFERENCES sellers (id)',
      one.child, one.child || '_seller_id_sellers_id_fk');
  END LOOP;
END $$;
-- A webhook of no charge of ours says in its key whose address it came to.
UPDATE payment_webhooks w SET seller_id = c.seller_id FROM charges c WHERE c.id = w.charge_id;
UPDATE payment_webhooks w SET seller_id = s.id FROM sellers s
WHERE w.charge_id IS NULL AND s.id::text = split_part(w.dedupe_key, '|', 2);
DELETE FROM payment_webhooks WHERE seller_id IS NULL;
ALTER TABLE payment_webhooks ALTER COLUMN seller_id SET NOT NULL,
  ADD CONSTRAINT payment_webhooks_seller_id_sellers_id_fk FOREIGN KEY (seller_id) REFERENCES sellers (id);
ALTER TABLE mail_events ADD COLUMN seller_id uuid REFERENCES sellers (id);
ALTER TABLE mail_events RENAME CONSTRAINT mail_events_seller_id_fkey TO mail_events_seller_id_sellers_id_fk;
UPDATE mail_events e SET seller_id = coalesce(h.seller_id, (SELECT m.seller_id FROM mails m WHERE m.id = e.mail_id))
FROM mail_hooks h WHERE h.id = e.hook_id;
-- Names of before are good for a day at most.
DELETE FROM idempotency_keys WHERE sale_id IS NOT NULL AND NOT EXISTS (SELECT FROM sales s WHERE s.id = sale_id);
ALTER TABLE idempotency_keys ADD COLUMN seller_id uuid;
UPDATE idempotency_keys k SET seller_id = s.seller_id FROM sales s WHERE s.id = k.sale_id;
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_seller_check CHECK (sale_id IS NULL OR seller_id IS NOT NULL);
