import { type ReactNode, useEffect, useId, useRef } from "react";

/**
 * A button that opens a confirmation: `children` is the form that acts (with its own submit button), `text` says what will
 * be lost. Without JavaScript the same dialog opens as a native popover.
 */
export function ConfirmDialog(props: {
  trigger: ReactNode;
  triggerLabel?: string;
  triggerClassName?: string;
  title: string;
  text: ReactNode;
  cancel?: string;
  children: ReactNode;
}) {
  const id = `dialogo${useId().replaceAll(":", "-")}`;
  const dialog = useRef<HTMLDialogElement>(null);
  // React 18 does not know these attributes; unknown lower-case ones are passed through.
  const open = { popovertarget: id } as object;
  const close = { popovertarget: id, popovertargetaction: "hide" } as object;
  /** Also one that was opened as a popover, before the script ran. */
  const hide = () => {
    dialog.current?.hidePopover?.();
    dialog.current?.close();
  };
  // Its button may be of a form around the dialog, whose event does not pass the dialog.
  useEffect(() => {
    const onSubmit = ({ submitter }: SubmitEvent) => {
      if (dialog.current?.contains(submitter)) hide();
    };
    document.addEventListener("submit", onSubmit);
    return () => document.removeEventListener("submit", onSubmit);
  });
  return (
    <>
      <button
        type="button"
        {...open}
        aria-label={props.triggerLabel}
        title={props.triggerLabel}
        className={props.triggerClassName ?? "btn btn-ghost min-h-11"}
        onClick={(event) => {
          event.preventDefault();
          // A dialog that is open as a popover cannot become a modal one.
          hide();
          dialog.current?.showModal();
        }}
      >
        {props.trigger}
      </button>
      <dialog
        ref={dialog}
        id={id}
        {...({ popover: "auto" } as object)}
        aria-labelledby={`${id}-titulo`}
        className="m-auto w-[calc(100%-2rem)] max-w-md rounded-box border border-base-300 bg-base-100 p-6 text-base-content shadow-xl backdrop:bg-black/40"
      >
        <h2 id={`${id}-titulo`} className="font-semibold text-lg">
          {props.title}
        </h2>
        <div className="mt-2 text-base-content/80 text-sm">{props.text}</div>
        <div className="mt-6 flex flex-wrap justify-end gap-2 *:order-1">
          <button
            type="button"
            {...close}
            className="btn min-h-11"
            onClick={(event) => {
              event.preventDefault();
              hide();
            }}
          >
            {props.cancel ?? "Cancelar"}
          </button>
          {props.children}
        </div>
      </dialog>
    </>
  );
}
