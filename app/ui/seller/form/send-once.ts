import type { Navigation } from "@remix-run/react";
import { type FormEvent, type FormEventHandler, startTransition, useEffect, useRef, useState } from "react";

/** What a form is being sent with, until the page was loaded again after the answer. */
type Sending = Pick<Navigation, "formAction" | "formData">;

/**
 * For the `onSubmit` of a form: while it is being sent, Enter pressed twice or held does not send it again. After the answer,
 * also an error, it can be sent again; what an answer asks can be answered as soon as it is shown.
 */
export function useSendOnce(
  sending: Sending,
  onSubmit?: FormEventHandler<HTMLFormElement>,
): FormEventHandler<HTMLFormElement> {
  // What was sent since the last render, which the router's state does not know yet.
  const sent = useRef<Sending>();
  const [rendered, setRendered] = useState({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: each submit is rendered once.
  useEffect(() => {
    sent.current = undefined;
  }, [rendered]);
  return (event) => {
    const next = sendingOf(event);
    const names = namesOf(event.currentTarget);
    if (isSame(next, sending, names) || isSame(next, sent.current, names)) return event.preventDefault();
    onSubmit?.(event);
    if (event.defaultPrevented) return;
    sent.current = next;
    // The router's state is rendered in a transition, too: both together.
    startTransition(() => setRendered({}));
  };
}

function sendingOf({ currentTarget: form, nativeEvent }: FormEvent<HTMLFormElement>) {
  const by = (nativeEvent as SubmitEvent).submitter;
  return {
    formAction: by?.getAttribute("formaction") ?? form.getAttribute("action") ?? "",
    formData: new FormData(form, by),
  };
}

/** The names of what is not typed: a form's buttons, and its hidden fields. Their values say what it is sent for. */
function namesOf(form: HTMLFormElement): string[] {
  return [...form.elements]
    .filter(
      (one): one is HTMLButtonElement | HTMLInputElement =>
        one instanceof HTMLButtonElement || (one instanceof HTMLInputElement && one.type === "hidden"),
    )
    .map(({ name }) => name);
}

function isSame(
  next: { formAction: string; formData: FormData },
  other: Sending | undefined,
  names: string[],
) {
  const { formAction, formData } = other ?? {};
  if (!formData || pathOf(formAction ?? "") !== pathOf(next.formAction)) return false;
  return names.every((name) => String(formData.getAll(name)) === String(next.formData.getAll(name)));
}

function pathOf(address: string): string {
  return address.split(/[?#]/)[0]!;
}
