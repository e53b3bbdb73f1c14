import { send, sendForm } from "./http.ts";
import type { Stage } from "./stage.ts";

let buyers = 0;

/** The checkout form's fields, as a new buyer sends them. */
export function newBuyer(): Record<string, string> {
  const customer_email = `comprador-${process.pid}-${++buyers}@exemplo.com.br`;
  return {
    customer_name: "Ana Lima",
    customer_email,
    customer_email_confirmation: customer_email,
    customer_document: "529.982.247-25",
    customer_phone: "(11) 98765-4321",
  };
}

/** Submits the demo shop's checkout and opens the PIX screen. @returns the screen's URL and the provider's id */
export async function order({ url }: Pick<Stage, "url">): Promise<{ screen: string; transactionId: string }> {
  const answer = await sendForm(`${url}/checkout/s/curso-de-violao`, newBuyer());
  if (answer.status !== 303) throw new Error(`the checkout answered ${answer.status}:\n${answer.body}`);
  const screen = url + answer.headers.location;
  return { screen, transactionId: transactionOf((await send(screen)).body.toString()) };
}

/** The provider's id from a PIX screen, which shows it where payments can be simulated. */
export function transactionOf(page: string): string {
  const id = /control\/transactions\/([\w-]+)\/pay/.exec(page)?.[1];
  if (!id) throw new Error(`no payable PIX:\n${page}`);
  return id;
}
