import { truncate } from "#app/kit/clean-text.ts";

const FREE_DOMAINS =
  "gmail.com googlemail.com hotmail.com hotmail.com.br outlook.com outlook.com.br live.com msn.com yahoo.com yahoo.com.br icloud.com me.com uol.com.br bol.com.br terra.com.br ig.com.br globo.com protonmail.com proton.me gmx.com".split(
    " ",
  );

/** `Name <address>` for a mail's From. Characters that could end the name or start another address are removed. */
export function formatAddress(name: string, address: string): string {
  const line = name
    .replace(/[\p{Cc}<>"\\,;:@()[\]]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const clean = truncate(line, 100).trim();
  return clean ? `${clean} <${address}>` : address;
}

/** The bare address of `Name <address>`. */
export function bareAddress(from: string): string {
  const { bracketAt, address } = splitAddress(from);
  return bracketAt < 0 ? from.trim() : address;
}

/** The name of `Name <address>`; empty where there is none. */
export function displayNameOf(from: string): string {
  const { bracketAt } = splitAddress(from);
  return bracketAt < 0 ? "" : from.slice(0, bracketAt).trim();
}

function splitAddress(from: string): { bracketAt: number; address: string } {
  const trimmed = from.trimEnd();
  const bracketAt = trimmed.endsWith(">") ? trimmed.lastIndexOf("<") : -1;
  return { bracketAt, address: trimmed.slice(bracketAt + 1, -1).trim() };
}

/** The part after the @, lowercase. */
export function domainOf(address: string): string {
  return bareAddress(address).split("@").at(-1)!.toLowerCase();
}

/** Whether a domain belongs to a free mailbox provider, from which nobody else can send for its users. */
export function isFreeDomain(domain: string): boolean {
  return FREE_DOMAINS.includes(domain.toLowerCase());
}
