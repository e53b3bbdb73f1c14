import { hash } from "@node-rs/argon2";
import { expect } from "vitest";
import type { App } from "#tests/support/app.ts";
import { visitor } from "#tests/support/clients/visitor.ts";
import { sql } from "#tests/support/database.ts";
import { makeSeller } from "#tests/support/make.ts";

export const PASSWORD = "senha-de-teste-1";

/** The hash of `PASSWORD`, with the lowest cost, for tests that sign in often. */
export const passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1 });

/** A seller in their own browser, who signed in that many minutes ago. */
export async function signedInAgo(app: App, minutes: number) {
  const seller = await makeSeller({ passwordHash });
  const browser = visitor(app.url);
  expect((await browser.json("/api/sessions", { email: seller.email, password: PASSWORD })).status).toBe(200);
  await ageSignIn(seller, minutes);
  return { seller, browser };
}

/** As if the seller had signed in so many minutes ago. */
export async function ageSignIn(seller: { id: string }, minutes: number): Promise<void> {
  await sql`update sessions set authenticated_at = now() - make_interval(mins => ${minutes}) where seller_id = ${seller.id}`;
}
