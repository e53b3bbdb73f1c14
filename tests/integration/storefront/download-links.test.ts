import { expect, test } from "vitest";
import { downloadUrl, openDownload } from "#app/domain/access/open-download.server.ts";
import { isStopLink, stopRemindersUrl } from "#app/domain/reminder/schedule/reminder-link.server.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

const sale = await makeSale(await makeProduct(await makeSeller()), { status: "completed" });
const [line] = await sql`select id from sale_lines where sale_id = ${sale.id}`;
const query = () => new URL(downloadUrl(sale.id, line!.id), "http://x").searchParams;
const open = (params: URLSearchParams) => openDownload(sale.id, line!.id, params, NOBODY);
const NOBODY = { placedSaleIds: [], key: "", findPortalEmail: async () => null };

test("a download link opens as it was made", async () => {
  expect(await open(query())).toMatch(/^https:/);
});

test.each([
  ["a zero in front", (until: string) => `0${until}`],
  ["a blank", (until: string) => ` ${until}`],
  ["a sign", (until: string) => `+${until}`],
  ["a fraction", (until: string) => `${until}.0`],
  ["an exponent", (until: string) => `${until}e0`],
  ["hexadecimal", (until: string) => `0x${Number(until).toString(16)}`],
  [
    "full-width digits",
    (until: string) => until.replace(/\d/g, (digit) => "０１２３４５６７８９"[Number(digit)]!),
  ],
  ["nothing", () => ""],
  ["an hour more", (until: string) => String(Number(until) + 3600)],
])("a moment written with %s is not ours", async (_, change) => {
  const params = query();
  params.set("ate", change(params.get("ate")!));
  await expect(open(params)).rejects.toMatchObject({ kind: "not-found" });
});

test.each([
  ["none", ""],
  ["the beginning of the right one", query().get("assinatura")!.slice(0, -1)],
  ["the right one and more", `${query().get("assinatura")}A`],
])("a signature that is %s opens nothing", async (_, signature) => {
  const params = query();
  params.set("assinatura", signature);
  await expect(open(params)).rejects.toMatchObject({ kind: "not-found" });
});

test("a link that stops reminders accepts only its own signature", () => {
  const signature = new URL(stopRemindersUrl(sale.id)).pathname.split("/").at(-1)!;
  expect(
    [signature, signature.slice(1), `${signature}A`, ""].map((each) => isStopLink(sale.id, each)),
  ).toEqual([true, false, false, false]);
});
