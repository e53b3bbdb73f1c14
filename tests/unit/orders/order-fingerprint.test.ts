import { expect, test } from "vitest";
import type { Customer } from "#app/domain/order/order.ts";
import {
  orderFingerprints,
  orderMutexKeys,
  submissionFingerprints,
} from "#app/domain/order/order-fingerprint.server.ts";

const BIA: Customer = {
  name: "Bia",
  email: "bia@exemplo.com.br",
  phone: "+5511987654321",
  document: "52998224725",
};
const NOBODY: Customer = { name: "Bia", email: null, phone: null, document: null };
const BROWSER = { client: "203.0.113.7", userAgent: "Firefox" };

const ordered = (fields: Partial<Customer> = {}, bumpIds: number[] = []) => ({
  customer: { ...BIA, ...fields },
  item: "product:1",
  bumpIds,
  campaign: {},
});

test("an order is the same whatever the sequence of its bumps", () => {
  expect(orderFingerprints(ordered({}, [3, 20, 100]))).toEqual(orderFingerprints(ordered({}, [100, 3, 20])));
  expect(orderFingerprints(ordered({}, [3]))).not.toEqual(orderFingerprints(ordered({}, [3, 20])));
});

test("a phone tells two orders apart only where there is neither an e-mail nor a document", () => {
  const other = { phone: "+5511987650000" };
  for (const fields of [{}, { email: null }, { document: null }])
    expect(orderFingerprints(ordered({ ...fields, ...other }))).toEqual(orderFingerprints(ordered(fields)));
  const byPhone = { email: null, document: null };
  expect(orderFingerprints(ordered({ ...byPhone, ...other }))).not.toEqual(
    orderFingerprints(ordered(byPhone)),
  );
});

test("a submission is one browser's: by its own id in any network, else by its address and program", () => {
  const submit = (fields: { client?: string; userAgent?: string; browserId?: string } = {}) =>
    submissionFingerprints(ordered(), { ...BROWSER, ...fields });
  expect(submit()).toEqual(submit());
  expect(submit({ client: "203.0.113.8" })).not.toEqual(submit());
  expect(submit({ userAgent: "Chrome" })).not.toEqual(submit());
  const [id, elsewhere] = [{ browserId: "a" }, { client: "203.0.113.8", userAgent: "Chrome" }];
  expect(submit({ ...id, ...elsewhere })).toEqual(submit(id));
  expect(submit({ browserId: "b" })).not.toEqual(submit(id));
});

test("the sequence of an address's parameters makes no other submission, another value does", () => {
  const submit = (campaign: Record<string, string>) =>
    submissionFingerprints({ ...ordered(), campaign }, BROWSER);
  expect(submit({ utm_source: "a", src: "b" })).toEqual(submit({ src: "b", utm_source: "a" }));
  expect(submit({ utm_source: "b", src: "a" })).not.toEqual(submit({ src: "b", utm_source: "a" }));
});

test("where neither the browser nor its buyer is known, two submissions are never the same", () => {
  const { email, phone, document } = BIA;
  expect(submissionFingerprints(ordered(NOBODY), BROWSER)).toEqual([]);
  for (const fields of [{ email }, { phone }, { document }])
    expect(submissionFingerprints(ordered({ ...NOBODY, ...fields }), BROWSER)).not.toEqual([]);
  expect(submissionFingerprints(ordered(NOBODY), { ...BROWSER, browserId: "a" })).not.toEqual([]);
});

test("an order waits for others of its address, and of its browser where that has an id", () => {
  const [client] = orderMutexKeys({ client: "203.0.113.7" });
  expect(orderMutexKeys({ client: "203.0.113.7" })).toEqual([client]);
  expect(orderMutexKeys({ client: "203.0.113.7", browserId: "a" })).toEqual([client, expect.any(String)]);
});
