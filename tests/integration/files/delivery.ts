import type { App } from "#tests/support/app.ts";
import { sql } from "#tests/support/database.ts";
import { sendFile } from "#tests/support/files/send-file.ts";
import { makeProduct, makeSale, makeSeller, signedIn } from "#tests/support/make.ts";

/** A seller whose product has a file, and a paid sale of it with the file's permanent address. */
export async function soldFile(app: App, content: Uint8Array<ArrayBuffer>, name = "apostila.pdf") {
  const seller = await makeSeller();
  const product = await makeProduct(seller, { fileUrl: null });
  const client = { app, headers: await signedIn(seller) };
  const upload = await sendFile(client, { product_id: product.id, name }, content);
  const sale = await makeSale(product, { status: "completed" });
  return { seller, product, client, upload, sale, ...(await addressesOf(sale.id)) };
}

/** The permanent address of a sale's first item. */
export async function addressesOf(saleId: string) {
  const [row] = await sql<{ line: string; item: string }[]>`
    select l.id as line, i.id as item from sale_lines l join sales s on s.id = l.sale_id
    join contents c on c.product_id = l.product_id join content_items i on i.content_id = c.id
    where l.sale_id = ${saleId} order by i.position limit 1`;
  return { ...row!, permanent: `/download/${saleId}/${row!.line}?item=${row!.item}` };
}

/** The signed address a permanent one leads to. */
export async function signedAddress(app: App, permanent: string): Promise<string> {
  const answer = await app.fetch(permanent);
  if (answer.status !== 302) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.headers.get("location")!;
}
