/** What became of money that came in beside what pays for the purchase. */
export function PaymentNotes({ notes }: { notes: string[] }) {
  return notes.map((note) => (
    <p className="alert is-wait" role="status" key={note}>
      {note}
    </p>
  ));
}
