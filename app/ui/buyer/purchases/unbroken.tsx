/** A CEP: `CEP 13010-000`. */
const POSTAL_CODE = /(CEP \d{5}-\d{3})/;

/** A text without line breaks inside a CEP. */
export function Unbroken({ of }: { of: string }) {
  // Texts between matches have even indexes.
  return of.split(POSTAL_CODE).map((part, at) =>
    at % 2 === 1 ? (
      <span key={part} className="nowrap">
        {part}
      </span>
    ) : (
      part
    ),
  );
}
