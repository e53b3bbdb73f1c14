/** The mail domains of most buyers. */
const KNOWN_DOMAINS =
  "gmail.com hotmail.com hotmail.com.br outlook.com outlook.com.br yahoo.com yahoo.com.br icloud.com live.com live.com.br msn.com globo.com uol.com.br bol.com.br terra.com.br ig.com.br".split(
    " ",
  );

/** Existing domains one letter away from those: `email.com.br`, `yahoo.com.ar`. */
const REAL_NEIGHBORS = /^(e?mail|ymail|cloud)\.|\.com\.[at]r$/;

/** Names that are corrected: a shorter one, or a common word, could be somebody else's domain. */
const CORRECTABLE_NAMES = /gmail|yahoo|icloud|hotmail|outlook/;

/** The well-known mail domain that a mistyped one is close to: `gmial.com`, `gmail.com.br` → `gmail.com`; null for any other. */
function suggestDomain(domain: string): string | null {
  const typed = domain.toLowerCase();
  if (KNOWN_DOMAINS.includes(typed) || REAL_NEIGHBORS.test(typed)) return null;
  const [name, end] = split(typed);
  const near = KNOWN_DOMAINS.filter((known) => {
    const [knownName] = split(known);
    return name === knownName || (CORRECTABLE_NAMES.test(knownName) && isOneEditApart(name, knownName));
  });
  // The wrong one of `.com` and `.com.br` is corrected: `gmail.com.br`, `uol.com`.
  const isKnownEnd = isOneEditApart(end, "com") || isOneEditApart(end, "com.br");
  return (
    near.find((known) => isOneEditApart(end, split(known)[1])) ?? (isKnownEnd ? (near[0] ?? null) : null)
  );
}

/** The address that was probably meant: `ana@gmial.com` → `ana@gmail.com`; null if nothing looks mistyped. */
export function likelyAddress(email: string): string | null {
  const at = email.lastIndexOf("@");
  const near = suggestDomain(email.slice(at + 1));
  return at > 0 && near ? email.slice(0, at + 1) + near : null;
}

/** A domain's name and ending: `gmail` and `com`. */
function split(domain: string): [name: string, end: string] {
  const [name, ...end] = domain.split(".");
  return [name!, end.join(".")];
}

/** Whether two texts are equal, or differ by one letter added, removed or changed, or by two adjacent ones swapped. */
function isOneEditApart(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [x, y] = [a.slice(at), b.slice(at)];
  const swapped = x.charAt(1) + x.charAt(0) + x.slice(2);
  return x.slice(1) === y.slice(1) || x === y.slice(1) || x.slice(1) === y || swapped === y;
}
