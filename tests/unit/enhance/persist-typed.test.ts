import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

type Input = { name: string; type: string; value: string; checked?: boolean };

/** A checkout of this tab as the server filled it, after what was stored of an earlier load was put back. */
async function restored(inputs: Input[], stored: Record<string, unknown>): Promise<Input[]> {
  vi.stubGlobal("location", { pathname: "/checkout/1" });
  vi.stubGlobal("sessionStorage", { "typed/checkout/1": JSON.stringify(stored) });
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("document", { querySelectorAll: () => inputs });
  const { persistTyped } = await import("#app/enhance/persist-typed.ts");
  persistTyped();
  return inputs;
}

const bump = (value: string, checked: boolean) => ({ name: "order_bumps", type: "checkbox", value, checked });
const field = (name: string, value: string) => ({ name: `customer_${name}`, type: "text", value });

test("a tick comes back as it was left, also where the link ticks what the buyer unticked", async () => {
  const inputs = await restored([bump("7", false), bump("8", true), bump("9", true)], {
    order_bumps7: true,
    order_bumps8: false,
  });
  expect(inputs.map(({ checked }) => checked)).toEqual([true, false, true]);
});

test("what was typed fills the fields that the server left empty", async () => {
  const inputs = await restored([field("name", "Bia"), field("phone", "")], {
    customer_name: "Bia",
    customer_phone: "11987654321",
  });
  expect(inputs.map(({ value }) => value)).toEqual(["Bia", "11987654321"]);
});
