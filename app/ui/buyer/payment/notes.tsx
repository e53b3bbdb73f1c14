/** Notes about payments that did not pay for the purchase. */
export function PaymentNotes({ notes }: { notes: string[] }) {
  return notes.map((note) => (
    <p className="alert is-wait" role="status" key={note}>
      {note}
    </p>
  ));
}
