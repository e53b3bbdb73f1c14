import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

type Input = Record<"name" | "type" | "value" | "defaultValue", string> & {
  checked?: boolean;
  defaultChecked?: boolean;
};

/** A tab: `open` loads a checkout as the server filled it, and types into it. */
function newTab() {
  vi.stubGlobal("location", { pathname: "/checkout/1" });
  vi.stubGlobal("sessionStorage", {});
  const open = async (inputs: Input[], type: (inputs: Input[]) => void = () => {}): Promise<Input[]> => {
    vi.resetModules();
    const typing = new Map<string, () => void>();
    vi.stubGlobal("addEventListener", (event: string, listener: () => void) => typing.set(event, listener));
    const isDocument = ({ name }: Input) => name === "customer_document";
    vi.stubGlobal("document", {
      querySelector: () => inputs.find(isDocument) ?? null,
      querySelectorAll: () => inputs.filter((input) => !isDocument(input)),
    });
    const { persistTyped } = await import("#app/enhance/persist-typed.ts");
    persistTyped();
    type(inputs);
    typing.get("input")!();
    return inputs;
  };
  return { open };
}

const bump = (value: string, checked: boolean) => ({
  ...{ name: "order_bumps", type: "checkbox", value, checked },
  ...{ defaultValue: value, defaultChecked: checked },
});
const field = (name: string, value: string) => ({
  ...{ name: `customer_${name}`, type: "text", value },
  ...{ defaultValue: value, defaultChecked: false },
});

test("a tick comes back as it was left, also where the link ticks what the buyer unticked", async () => {
  const { open } = newTab();
  const page = () => [bump("7", false), bump("8", true), bump("9", true)];
  await open(
    page(),
    ([first, second]) =>
      Object.assign(first!, { checked: true }) && Object.assign(second!, { checked: false }),
  );
  expect((await open(page())).map(({ checked }) => checked)).toEqual([true, false, true]);
});

test("what a link ticks stays ticked though the checkout was typed into before without it", async () => {
  const { open } = newTab();
  const page = (ticked: boolean) => [field("name", ""), bump("7", ticked)];
  await open(page(false), ([name]) => Object.assign(name!, { value: "Bia" }));
  expect((await open(page(true)))[1]!.checked).toBe(true);
});

test("what was typed comes back though the browser has put a part of it back before", async () => {
  const { open } = newTab();
  const page = (name: string) => [{ ...field("name", ""), value: name }, field("phone", "")];
  await open(page(""), ([name, phone]) => {
    Object.assign(name!, { value: "Bia" });
    Object.assign(phone!, { value: "11987654321" });
  });
  expect((await open(page("Bia")))[1]!.value).toBe("11987654321");
});

test("what was typed fills the fields that the server left empty", async () => {
  const { open } = newTab();
  const page = () => [field("name", "Bia"), field("phone", "")];
  await open(page(), ([, phone]) => Object.assign(phone!, { value: "11987654321" }));
  expect((await open(page())).map(({ value }) => value)).toEqual(["Bia", "11987654321"]);
});

test("what another person typed in this tab fills nothing in a form that a link fills with a buyer's data", async () => {
  const { open } = newTab();
  const page = (name: string) => [field("name", name), field("phone", ""), bump("7", false)];
  const type = ([name, phone, tick]: Input[]) => {
    Object.assign(name!, { value: "Bia" });
    Object.assign(phone!, { value: "11987654321" });
    Object.assign(tick!, { checked: true });
  };
  await open(page(""), type);
  await open(page("Bia"), type);
  const [name, phone, tick] = await open(page("Caio"));
  expect([name!.value, phone!.value, tick!.checked]).toEqual(["Caio", "", false]);
  expect((await open(page("")))[1]!.value).toBe("11987654321");
});

test("what was typed beside the CPF of one person's link fills nothing beside another one's, and no CPF is stored", async () => {
  const { open } = newTab();
  const page = (document: string) => [field("document", document), field("name", "")];
  const nameIn = async (document: string) => (await open(page(document)))[1]!.value;
  await open(page("52998224725"), ([, name]) => Object.assign(name!, { value: "Ana" }));
  expect(await nameIn("11144477735")).toBe("");
  expect(await nameIn("")).toBe("");
  expect(await nameIn("52998224725")).toBe("Ana");
  expect(JSON.stringify(sessionStorage)).not.toMatch(/529|982/);
});
