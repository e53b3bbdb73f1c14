import { expect, test } from "vitest";
import { SELLERS_BODY } from "#app/web/door/read-bytes.server.ts";
import { formOf, postedForm } from "#app/web/forms.server.ts";

const posted = (body: string) =>
  formOf(
    new Request("http://localhost:3000/", {
      method: "POST",
      body,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    }),
  );

test("a form may say one name a hundred times, and many names", async () => {
  expect((await posted("order_bumps=1&".repeat(100))).getAll("order_bumps")).toHaveLength(100);
  const names = Array.from({ length: 3000 }, (_, at) => `field${at}=on`);
  expect([...(await posted(names.join("&"))).keys()]).toHaveLength(3000);
});

test("a form that says one name more often is answered 400", async () => {
  await expect(posted("a=&".repeat(101))).rejects.toMatchObject({ status: 400 });
});

test("a seller's long form has a box for each of five thousand products", async () => {
  const request = new Request("http://localhost:3000/", {
    method: "POST",
    body: "products=1&".repeat(5000),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  expect((await postedForm(request, SELLERS_BODY)).getAll("products")).toHaveLength(5000);
});
