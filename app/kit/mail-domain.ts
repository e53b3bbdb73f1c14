/** Where most buyers have their mail. */
const KNOWN =
  "gmail.com hotmail.com hotmail.com.br outlook.com outlook.com.br yahoo.com yahoo.com.br icloud.com live.com live.com.br msn.com globo.com uol.com.br bol.com.br terra.com.br ig.com.br".split(
    " ",
  );

/** Names and endings a letter away from those, of domains that exist: `email.com.br`, `yahoo.com.ar`. */
const OTHERS = /^(e?mail|ymail|cloud)\.|\.com\.[at]r$/;

/** Names that may have a slip: a shorter one, or one that is a word, would be taken for somebody else's. */
const LONG = /gmail|yahoo|icloud|hotmail|outlook/;

/** The well-known mail domain that a mistyped one is close to: `gmial.com`, `gmail.com.br` → `gmail.com`; null for any other. */
function nearMailDomain(domain: string): string | null {
  const typed = domain.toLowerCase();
  if (KNOWN.includes(typed) || OTHERS.test(typed)) return null;
  const [name, end] = split(typed);
  const near = KNOWN.filter((known) => {
    const [itsName] = split(known);
    return name === itsName || (LONG.test(itsName) && isNear(name, itsName));
  });
  // With `.br` or without it is taken for the other: `gmail.com.br`, `uol.com`.
  const isEnd = isNear(end, "com") || isNear(end, "com.br");
  return near.find((known) => isNear(end, split(known)[1])) ?? (isEnd ? (near[0] ?? null) : null);
}

/** The address that was probably meant: `ana@gmial.com` → `ana@gmail.com`; null where nothing looks mistyped. */
export function likelyMail(email: string): string | null {
  const at = email.lastIndexOf("@");
  const near = nearMailDomain(email.slice(at + 1));
  return at > 0 && near ? email.slice(0, at + 1) + near : null;
}

/** What a domain is called, and how it ends: `gmail` and `com`. */
function split(domain: string): [name: string, end: string] {
  const [name, ...end] = domain.split(".");
  return [name!, end.join(".")];
}

/** Whether two words are the same, or one letter is added, lost or changed, or two that stand together are swapped. */
function isNear(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [x, y] = [a.slice(at), b.slice(at)];
  const swapped = x.charAt(1) + x.charAt(0) + x.slice(2);
  return x.slice(1) === y.slice(1) || x === y.slice(1) || x.slice(1) === y || swapped === y;
}
