import type { Page } from "playwright";

/** Fills the buyer's fields of a checkout with a valid person. */
export async function fillCheckout(page: Page, { email }: { email: string }): Promise<void> {
  await page.getByLabel("Nome completo").fill("Ana Lima");
  await page.getByLabel("Seu melhor e-mail").fill(email);
  await page.getByLabel("CPF").fill("529.982.247-25");
  await page.getByLabel("WhatsApp").fill("(11) 98765-4321");
}
