/** A CEP: `CEP 13010-000`. */
const POSTAL_CODE = /(CEP \d{5}-\d{3})/;

/** A text in which no line ends within a CEP. */
export function Unbroken({ of }: { of: string }) {
  // What stands between two matches has an even place.
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
