import { expect, test } from "vitest";
import { parseFormData, readPostedForm } from "#app/server/forms/forms.server.ts";
import { MAX_SELLER_BODY } from "#app/server/request/read-bytes.server.ts";

const posted = (body: string) =>
  parseFormData(
    new Request("http://localhost:3000/", {
      method: "POST",
      body,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    }),
  );

test("a form may repeat one name a hundred times, and have many names", async () => {
  expect((await posted("order_bumps=1&".repeat(100))).getAll("order_bumps")).toHaveLength(100);
  const names = Array.from({ length: 3000 }, (_, at) => `field${at}=on`);
  expect([...(await posted(names.join("&"))).keys()]).toHaveLength(3000);
});

test("a form that repeats one name more often is answered 400", async () => {
  await expect(posted("a=&".repeat(101))).rejects.toMatchObject({ status: 400 });
});

test("a seller's long form has a box for each of five thousand products", async () => {
  const request = new Request("http://localhost:3000/", {
    method: "POST",
    body: "products=1&".repeat(5000),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  expect((await readPostedForm(request, MAX_SELLER_BODY)).getAll("products")).toHaveLength(5000);
});
