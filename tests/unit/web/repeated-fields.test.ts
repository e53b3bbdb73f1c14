import { expect, test } from "vitest";
import { formOf } from "#app/web/forms.server.ts";

const posted = (body: string) =>
  formOf(
    new Request("http://localhost:3000/", {
      method: "POST",
      body,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    }),
  );

test("a form may say one name five thousand times, and many names", async () => {
  expect((await posted("products=1&".repeat(5000))).getAll("products")).toHaveLength(5000);
  const names = Array.from({ length: 3000 }, (_, at) => `field${at}=on`);
  expect([...(await posted(names.join("&"))).keys()]).toHaveLength(3000);
});

test("a form that says one name more often is answered 400", async () => {
  await expect(posted("a=&".repeat(5001))).rejects.toMatchObject({ status: 400 });
});
