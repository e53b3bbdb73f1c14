const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** Characters that providers allow; the rest of RFC 5321's, such as quotes, is only used to deceive. */
const LOCAL_WORD = /^[a-z0-9_'+-]+$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const TOP_LEVEL_DOMAIN = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/i;

/**
 * Whether a text is exactly one e-mail address that can receive mail: `ana.souza+loja@exemplo.com.br`. The only rule
 * for addresses. Mail programs parse them too: a comma or a `<` would change the recipient.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const [local = "", domain, ...more] = text.split("@");
  if (domain === undefined || more.length > 0 || local.length > MAX_LOCAL_LENGTH) return false;
  return local.split(".").every((part) => LOCAL_WORD.test(part)) && isDomainName(domain);
}

/**
 * Whether a text is a domain name of two or more labels, in letters that DNS knows: `loja.com.br`, `xn--po-lja.com`.
 */
export function isDomainName(text: string): boolean {
  const labels = text.split(".");
  return (
    text.length < MAX_LENGTH &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP_LEVEL_DOMAIN.test(labels.at(-1)!)
  );
}

/** A text in which each word that holds an e-mail address is hidden. */
export function hideAddresses(text: string): string {
  return text
    .split(" ")
    .map((word) => (word.includes("@") ? "[oculto]" : word))
    .join(" ");
}

/** A masked e-mail address: `b•••@exemplo.com.br`. */
export function maskMail(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}
