/** A CEP, `CEP 13010-000`, and a phone, `(11) 98765-4321`. */
const NUMBERS = /(CEP \d{5}-\d{3}|\(\d\d\) \d{4,5}-\d{4})/;

/** A text without line breaks inside a CEP or a phone. */
export function Unbroken({ of }: { of: string }) {
  // Texts between matches have even indexes.
  return of.split(NUMBERS).map((part, at) =>
    at % 2 === 1 ? (
      <span key={part} className="nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
