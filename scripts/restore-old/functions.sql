-- Functions and triggers of the baseline, each as it ends up. Hand-kept: README.md.

-- Days and buyers whose kept figures a change of a sale makes out of date: those it counted on and those it counts on now. The
-- buyer of an emptied sale goes on being counted, under the name drawn for them.
CREATE FUNCTION mark_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_marks (seller_id, day, email)
  SELECT DISTINCT v.seller_id, (v.at AT TIME ZONE 'America/Sao_Paulo')::date, nullif(v.email, '')
  FROM (VALUES
    (new.seller_id, new.created_at, NULL),
    (new.seller_id, new.completed_at, coalesce(new.customer_email, new.anonymized_as)),
    (old.seller_id, old.created_at, NULL),
    (old.seller_id, old.completed_at, coalesce(old.customer_email, old.anonymized_as))
  ) AS v (seller_id, at, email)
  WHERE v.at IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER mark_sale AFTER INSERT OR DELETE OR UPDATE OF
  seller_id, product_id, parent_sale_id, status, amount_cents, fee_cents, refunded_cents, payment_method, customer_email,
  utm_source, utm_medium, utm_campaign, coupon_code, created_at, completed_at
ON sales FOR EACH ROW EXECUTE FUNCTION mark_sale();

CREATE FUNCTION mark_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_marks (seller_id, day)
  VALUES (new.seller_id, (new.created_at AT TIME ZONE 'America/Sao_Paulo')::date);
  RETURN NULL;
END $$;
CREATE TRIGGER mark_new_mail AFTER INSERT ON mails FOR EACH ROW
WHEN (new.seller_id IS NOT NULL AND new.sale_id IS NOT NULL AND new.kind <> 'new-sale')
EXECUTE FUNCTION mark_mail();
CREATE TRIGGER mark_mail AFTER UPDATE OF status, attempts ON mails FOR EACH ROW
WHEN (new.seller_id IS NOT NULL AND new.sale_id IS NOT NULL AND new.kind <> 'new-sale'
  AND (old.status, greatest(old.attempts, 1)) IS DISTINCT FROM (new.status, greatest(new.attempts, 1)))
EXECUTE FUNCTION mark_mail();

CREATE FUNCTION queue_job(task text, payload json, run_at timestamptz, max_attempts int, priority int, job_key text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz := coalesce(queue_job.run_at, now());
BEGIN
  LOOP
    INSERT INTO graphile_worker._private_jobs AS j (task_id, payload, run_at, max_attempts, priority, key)
      SELECT t.id, queue_job.payload, due, queue_job.max_attempts, queue_job.priority, queue_job.job_key
      FROM graphile_worker._private_tasks t WHERE t.identifier = queue_job.task
      ON CONFLICT (key) DO UPDATE SET task_id = excluded.task_id, payload = excluded.payload, run_at = excluded.run_at,
        max_attempts = excluded.max_attempts, priority = excluded.priority, job_queue_id = NULL, flags = NULL,
        revision = j.revision + 1, attempts = 0, last_error = NULL, updated_at = now()
      WHERE j.locked_at IS NULL;
    EXIT WHEN FOUND;
    INSERT INTO graphile_worker._private_tasks (identifier) VALUES (queue_job.task) ON CONFLICT DO NOTHING;
    UPDATE graphile_worker._private_jobs AS j SET key = NULL, attempts = j.max_attempts, updated_at = now()
      WHERE j.key = queue_job.job_key AND j.locked_at IS NOT NULL;
  END LOOP;
  IF due <= now() THEN
    PERFORM pg_notify('jobs:insert', '{"count":1}');
  END IF;
END $$;

-- An order's day is marked when a PIX of it, or of an offer taken after it, is made or paid, and when its buyer is reminded.
CREATE FUNCTION mark_funnel(of_seller uuid, about uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO funnel_marks (seller_id, day)
  SELECT o.seller_id, (o.created_at AT TIME ZONE 'America/Sao_Paulo')::date
  FROM sales s INNER JOIN sales o ON o.seller_id = s.seller_id AND o.id = coalesce(s.parent_sale_id, s.id)
  WHERE s.seller_id = of_seller AND s.id = about
$$;

CREATE FUNCTION mark_funnel_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_funnel(new.seller_id, new.id);
  RETURN NULL;
END $$;

CREATE FUNCTION mark_funnel_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_funnel(new.seller_id, new.sale_id);
  RETURN NULL;
END $$;

CREATE FUNCTION mark_funnel_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO funnel_marks (seller_id, day)
  SELECT old.seller_id, (o.created_at AT TIME ZONE 'America/Sao_Paulo')::date
  FROM (
    SELECT created_at FROM sales WHERE seller_id = old.seller_id AND id = old.parent_sale_id
    UNION ALL SELECT old.created_at WHERE old.parent_sale_id IS NULL
  ) o;
  RETURN NULL;
END $$;
CREATE TRIGGER mark_funnel_gone AFTER DELETE ON sales FOR EACH ROW EXECUTE FUNCTION mark_funnel_gone();
CREATE TRIGGER mark_funnel_new AFTER INSERT ON sales FOR EACH ROW
WHEN (new.completed_at IS NOT NULL) EXECUTE FUNCTION mark_funnel_sale();
CREATE TRIGGER mark_funnel AFTER UPDATE OF completed_at ON sales FOR EACH ROW
WHEN (old.completed_at IS DISTINCT FROM new.completed_at) EXECUTE FUNCTION mark_funnel_sale();
CREATE TRIGGER mark_funnel_new AFTER INSERT ON charges FOR EACH ROW
WHEN (new.provider_id IS NOT NULL) EXECUTE FUNCTION mark_funnel_part();
CREATE TRIGGER mark_funnel AFTER UPDATE OF provider_id ON charges FOR EACH ROW
WHEN (old.provider_id IS NULL AND new.provider_id IS NOT NULL) EXECUTE FUNCTION mark_funnel_part();
CREATE TRIGGER mark_funnel_new AFTER INSERT ON mails FOR EACH ROW
WHEN (new.kind = 'reminder' AND new.sale_id IS NOT NULL AND new.sent_at IS NOT NULL) EXECUTE FUNCTION mark_funnel_part();
CREATE TRIGGER mark_funnel AFTER UPDATE OF sent_at ON mails FOR EACH ROW
WHEN (new.kind = 'reminder' AND new.sale_id IS NOT NULL AND old.sent_at IS NULL AND new.sent_at IS NOT NULL)
EXECUTE FUNCTION mark_funnel_part();

-- What remains of a sale's payments that do not count; says what `paymentsOf` says of each. Its writers hold the sale's lock.
CREATE FUNCTION sum_extra_payments(of_seller uuid, of_sale uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE sales s SET extra_net_cents = t.net, extra_fee_cents = t.fee FROM (
    -- No more went back than was received: a payment whose amount was corrected downwards may have had more refunded.
    SELECT coalesce(sum(greatest(c.paid_cents - coalesce(
      (SELECT sum(r.amount_cents) FROM refunds r WHERE r.seller_id = of_seller AND r.charge_id = c.id AND r.status = 'done'), 0), 0)
      - coalesce(c.fee_cents, 0)), 0)::int AS net, coalesce(sum(c.fee_cents), 0)::int AS fee
    FROM charges c WHERE c.seller_id = of_seller AND c.sale_id = of_sale AND (c.overpaid_at IS NOT NULL OR c.status = 'mispaid')
  ) t WHERE s.seller_id = of_seller AND s.id = of_sale AND (s.extra_net_cents, s.extra_fee_cents) <> (t.net, t.fee)
$$;

CREATE FUNCTION sum_extra_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sum_extra_payments(new.seller_id, new.sale_id);
  RETURN NULL;
END $$;

CREATE FUNCTION sum_extra_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sum_extra_payments(c.seller_id, c.sale_id) FROM charges c
  WHERE c.seller_id = new.seller_id AND c.id = new.charge_id AND (c.overpaid_at IS NOT NULL OR c.status = 'mispaid');
  RETURN NULL;
END $$;
CREATE TRIGGER sum_extra_new AFTER INSERT ON charges FOR EACH ROW
WHEN (new.overpaid_at IS NOT NULL OR new.status = 'mispaid') EXECUTE FUNCTION sum_extra_of_charge();
CREATE TRIGGER sum_extra AFTER UPDATE OF status, overpaid_at, paid_cents, fee_cents ON charges FOR EACH ROW
WHEN (new.overpaid_at IS NOT NULL OR new.status = 'mispaid' OR old.overpaid_at IS NOT NULL OR old.status = 'mispaid')
EXECUTE FUNCTION sum_extra_of_charge();
CREATE TRIGGER sum_extra_new AFTER INSERT ON refunds FOR EACH ROW
WHEN (new.status = 'done') EXECUTE FUNCTION sum_extra_of_refund();
CREATE TRIGGER sum_extra AFTER UPDATE OF status, amount_cents ON refunds FOR EACH ROW
WHEN (new.status = 'done') EXECUTE FUNCTION sum_extra_of_refund();
CREATE TRIGGER mark_sale_extra AFTER UPDATE OF extra_net_cents, extra_fee_cents ON sales FOR EACH ROW
WHEN ((old.extra_net_cents, old.extra_fee_cents) <> (new.extra_net_cents, new.extra_fee_cents)) EXECUTE FUNCTION mark_sale();

-- Since when money of a sale waits for its seller; says what `handsOf` says of its charges. The last of its writers is right.
CREATE FUNCTION set_action_since(of_seller uuid, of_sale uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sales WHERE seller_id = of_seller AND id = of_sale FOR NO KEY UPDATE;
  UPDATE sales s SET action_since = t.since FROM (
    SELECT max(CASE WHEN r.status = 'unconfirmed' THEN r.ended_at
      WHEN c.overpaid_at IS NOT NULL OR c.status = 'mispaid' THEN c.paid_at
      WHEN r.status = 'refused' THEN r.ended_at END) AS since
    FROM charges c LEFT JOIN LATERAL (
      SELECT CASE WHEN dismissed_at IS NULL THEN status END AS status, ended_at
      FROM refunds WHERE seller_id = of_seller AND charge_id = c.id ORDER BY requested_at DESC, id DESC LIMIT 1) r ON true
    WHERE c.seller_id = of_seller AND c.sale_id = of_sale AND c.paid_cents > coalesce(
      (SELECT sum(d.amount_cents) FROM refunds d
        WHERE d.seller_id = of_seller AND d.charge_id = c.id AND d.status = 'done'), 0)
      AND NOT EXISTS (SELECT FROM refunds p
        WHERE p.seller_id = of_seller AND p.charge_id = c.id AND p.status = 'pending')
  ) t WHERE s.seller_id = of_seller AND s.id = of_sale AND s.action_since IS DISTINCT FROM t.since;
END $$;

CREATE FUNCTION set_action_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_action_since(new.seller_id, new.sale_id);
  RETURN NULL;
END $$;

CREATE FUNCTION set_action_of_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_action_since(c.seller_id, c.sale_id) FROM charges c
  WHERE c.seller_id = new.seller_id AND c.id = new.charge_id;
  RETURN NULL;
END $$;
CREATE TRIGGER set_action_new AFTER INSERT ON charges FOR EACH ROW
WHEN (new.overpaid_at IS NOT NULL OR new.status = 'mispaid') EXECUTE FUNCTION set_action_of_charge();
CREATE TRIGGER set_action AFTER UPDATE OF status, overpaid_at, paid_cents, paid_at ON charges FOR EACH ROW
WHEN (new.overpaid_at IS NOT NULL OR new.status = 'mispaid' OR old.overpaid_at IS NOT NULL OR old.status = 'mispaid')
EXECUTE FUNCTION set_action_of_charge();
CREATE TRIGGER set_action_new AFTER INSERT ON refunds FOR EACH ROW EXECUTE FUNCTION set_action_of_refund();
CREATE TRIGGER set_action AFTER UPDATE OF status, amount_cents, ended_at ON refunds FOR EACH ROW
EXECUTE FUNCTION set_action_of_refund();
CREATE TRIGGER set_action_dismissed AFTER UPDATE OF dismissed_at ON refunds FOR EACH ROW
EXECUTE FUNCTION set_action_of_refund();

CREATE FUNCTION add_upsell_sale(of_upsell bigint, change int) RETURNS void LANGUAGE sql AS $$
  -- An offer that is being deleted is left out.
  INSERT INTO upsell_sale_counts AS c (upsell_id, seller_id, shard, completed)
  SELECT id, seller_id, pg_backend_pid() % 16, change FROM upsells WHERE id = of_upsell FOR KEY SHARE
  ON CONFLICT (upsell_id, shard) DO UPDATE SET completed = c.completed + excluded.completed
$$;

CREATE FUNCTION count_upsell_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_upsell_sale(l.upsell_id, CASE new.status WHEN 'completed' THEN 1 ELSE -1 END)
  FROM sale_lines l WHERE l.seller_id = new.seller_id AND l.sale_id = new.id AND l.upsell_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION count_upsell_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_upsell_sale(new.upsell_id, 1) FROM sales s
  WHERE s.seller_id = new.seller_id AND s.id = new.sale_id AND s.status = 'completed';
  RETURN NULL;
END $$;
CREATE TRIGGER count_upsell_sale AFTER UPDATE OF status ON sales FOR EACH ROW
WHEN ((old.status = 'completed') <> (new.status = 'completed') AND new.parent_sale_id IS NOT NULL)
EXECUTE FUNCTION count_upsell_sale();
CREATE TRIGGER count_upsell_line AFTER INSERT ON sale_lines FOR EACH ROW
WHEN (new.upsell_id IS NOT NULL) EXECUTE FUNCTION count_upsell_line();

CREATE FUNCTION note_dropped_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO dropped_uploads (id) VALUES (old.id) ON CONFLICT (id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER note_dropped AFTER DELETE ON files FOR EACH ROW
WHEN (old.ready_at IS NULL) EXECUTE FUNCTION note_dropped_upload();

-- Whether an order's use of a coupon, and the units that it takes of an offer, count: it is paid, or has a charge that can be
-- paid or was. A limit is checked where the use is reserved; an order that is paid late counts whatever the limit is, and is
-- marked where that is exceeded.
CREATE FUNCTION count_reserved(of_seller uuid, of_sale uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  counts boolean := EXISTS (SELECT FROM sales WHERE seller_id = of_seller AND id = of_sale AND completed_at IS NOT NULL)
    OR EXISTS (SELECT FROM charges
      WHERE seller_id = of_seller AND sale_id = of_sale AND status IN ('creating', 'open', 'unknown', 'in_review', 'paid', 'mispaid'));
  is_over boolean;
  use record;
BEGIN
  -- The offer first, as an order takes them: the other way round the two would deadlock.
  UPDATE offer_uses SET released_at = CASE WHEN counts THEN NULL ELSE now() END, is_over_limit = false
  WHERE seller_id = of_seller AND sale_id = of_sale AND (released_at IS NULL) <> counts RETURNING * INTO use;
  IF FOUND THEN
    UPDATE offers SET units = units + CASE WHEN counts THEN use.quantity ELSE -use.quantity END
    WHERE id = use.offer_id RETURNING counts AND units > max_units INTO is_over;
    IF is_over THEN
      UPDATE offer_uses SET is_over_limit = true WHERE seller_id = of_seller AND sale_id = of_sale;
    END IF;
  END IF;
  UPDATE coupon_uses SET released_at = CASE WHEN counts THEN NULL ELSE now() END, is_over_limit = false
  WHERE seller_id = of_seller AND sale_id = of_sale AND (released_at IS NULL) <> counts RETURNING * INTO use;
  IF FOUND THEN
    UPDATE coupons SET uses = uses + CASE WHEN counts THEN 1 ELSE -1 END
    WHERE id = use.coupon_id RETURNING counts AND uses > max_uses INTO is_over;
    IF is_over THEN
      UPDATE coupon_uses SET is_over_limit = true WHERE seller_id = of_seller AND sale_id = of_sale;
    END IF;
  END IF;
END $$;

CREATE FUNCTION count_reserved_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_reserved(new.seller_id, new.sale_id);
  RETURN NULL;
END $$;
CREATE FUNCTION count_reserved_of_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_reserved(new.seller_id, new.id);
  RETURN NULL;
END $$;
CREATE TRIGGER count_reserved AFTER UPDATE OF status ON charges FOR EACH ROW
WHEN ((old.status IN ('failed', 'expired', 'cancelled', 'declined'))
  <> (new.status IN ('failed', 'expired', 'cancelled', 'declined')))
EXECUTE FUNCTION count_reserved_of_charge();
CREATE TRIGGER count_reserved AFTER UPDATE OF completed_at ON sales FOR EACH ROW
WHEN ((new.coupon_id IS NOT NULL OR new.offer_id IS NOT NULL) AND old.completed_at IS NULL AND new.completed_at IS NOT NULL)
EXECUTE FUNCTION count_reserved_of_sale();

-- The addresses of checkouts are in one table, so that no product and no offer has another's.
CREATE FUNCTION write_checkout_slug(of_seller uuid, of_product bigint, of_offer uuid, new_slug text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM checkout_slugs
  WHERE seller_id = of_seller AND product_id = of_product AND offer_id IS NOT DISTINCT FROM of_offer;
  IF new_slug IS NOT NULL THEN
    INSERT INTO checkout_slugs (slug, seller_id, product_id, offer_id)
    VALUES (lower(new_slug), of_seller, of_product, of_offer);
    -- Only now: who freed it may have been waited for.
    DELETE FROM freed_slugs WHERE slug = lower(new_slug) AND seller_id = of_seller;
    IF EXISTS (SELECT FROM freed_slugs WHERE slug = lower(new_slug)) THEN
      RAISE unique_violation USING CONSTRAINT = 'checkout_slugs_pkey', MESSAGE = 'this slug is reserved for the seller who had it';
    END IF;
  END IF;
END $$;

CREATE FUNCTION reserve_freed_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO freed_slugs (slug, seller_id) VALUES (old.slug, old.seller_id)
  ON CONFLICT (slug) DO UPDATE SET seller_id = excluded.seller_id, freed_at = excluded.freed_at;
  RETURN NULL;
END $$;
CREATE TRIGGER reserve_freed_slug AFTER DELETE ON checkout_slugs FOR EACH ROW EXECUTE FUNCTION reserve_freed_slug();

CREATE FUNCTION write_product_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_checkout_slug(new.seller_id, new.id, NULL, new.checkout_slug);
  RETURN NULL;
END $$;
CREATE FUNCTION write_offer_slug() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_checkout_slug(new.seller_id, new.product_id, new.id, new.slug);
  RETURN NULL;
END $$;
CREATE TRIGGER write_slug AFTER INSERT ON products FOR EACH ROW
WHEN (new.checkout_slug IS NOT NULL) EXECUTE FUNCTION write_product_slug();
CREATE TRIGGER rewrite_slug AFTER UPDATE OF checkout_slug ON products FOR EACH ROW
WHEN (old.checkout_slug IS DISTINCT FROM new.checkout_slug) EXECUTE FUNCTION write_product_slug();
CREATE TRIGGER write_slug AFTER INSERT ON offers FOR EACH ROW
WHEN (new.slug IS NOT NULL) EXECUTE FUNCTION write_offer_slug();
CREATE TRIGGER rewrite_slug AFTER UPDATE OF slug ON offers FOR EACH ROW
WHEN (old.slug IS DISTINCT FROM new.slug) EXECUTE FUNCTION write_offer_slug();

-- A sale costs what its payment method costs: whatever changes the method changes its amount and its lines.
CREATE FUNCTION requote_sale() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sale_lines SET
    price_cents = price_cents + method_discount_cents
      - CASE WHEN new.payment_method = 'card' THEN 0 ELSE pix_discount_cents END,
    method_discount_cents = CASE WHEN new.payment_method = 'card' THEN 0 ELSE pix_discount_cents END
  WHERE seller_id = new.seller_id AND sale_id = new.id;
  new.amount_cents := (SELECT sum(price_cents) FROM sale_lines WHERE seller_id = new.seller_id AND sale_id = new.id);
  RETURN new;
END $$;
CREATE TRIGGER requote_sale BEFORE UPDATE OF payment_method ON sales FOR EACH ROW
WHEN (old.pix_discount_cents > 0 AND old.payment_method <> new.payment_method) EXECUTE FUNCTION requote_sale();

-- The newest link stays known after content replaced it: who ordered with a link goes on having it.
CREATE FUNCTION keep_last_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.last_file_url := new.file_url;
  RETURN new;
END $$;
CREATE TRIGGER keep_last_link BEFORE INSERT OR UPDATE OF file_url ON products FOR EACH ROW
WHEN (new.file_url IS NOT NULL) EXECUTE FUNCTION keep_last_link();
CREATE TRIGGER keep_last_link BEFORE INSERT OR UPDATE OF file_url ON order_bumps FOR EACH ROW
WHEN (new.file_url IS NOT NULL) EXECUTE FUNCTION keep_last_link();
CREATE TRIGGER keep_last_link BEFORE INSERT OR UPDATE OF file_url ON upsells FOR EACH ROW
WHEN (new.file_url IS NOT NULL) EXECUTE FUNCTION keep_last_link();
