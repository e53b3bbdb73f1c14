import type { ReactNode } from "react";
import { Form } from "#app/ui/seller/form/form.tsx";

/** A form of one button about one item of a list. */
export function ItemForm({ id, children }: { id: string | number; children: ReactNode }) {
  return (
    <Form method="post">
      <input type="hidden" name="id" value={id} />
      {children}
    </Form>
  );
}
