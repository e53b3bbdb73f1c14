import { Link } from "@remix-run/react";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { SubmitButton } from "#app/ui/seller/form/submit-button.tsx";

/** `form`: one readable column. `list`: the full width, for tables, figures and previews. */
const WIDTHS = { form: "max-w-3xl", list: "" };

/** `note` describes the form's state, `cancel` is the URL for leaving it. */
type Save = {
  form: string;
  intent?: string;
  action?: string;
  label: string;
  /** Shown while it is sent, instead of 'Salvando...'. */
  pending?: string;
  note?: string | false;
  cancel?: string;
};

type Props = {
  width: keyof typeof WIDTHS;
  title: ReactNode;
  text?: ReactNode;
  /** The screen this one was opened from. */
  back?: { to: string; label: string } | undefined;
  /** The state of the screen's subject. */
  badge?: ReactNode;
  /** Ways to other screens about the same subject. */
  links?: ReactNode;
  /** The screen's single primary button, last at the header's right edge. */
  action?: ReactNode;
  /**
   * The form of the screen: its button is in the header, always in sight. On a phone the form's own, at its end, is used.
   */
  save?: Save | false | null | undefined;
  children?: ReactNode;
};

/**
 * A dashboard screen, and its only layout: every screen begins at the same left edge, ends at one of two widths, and has
 * its title at the left and its action at the right of its header. `expectOneGrid` tests all of them.
 */
export function Screen(props: Props) {
  return (
    <div data-screen={props.width} className={WIDTHS[props.width]}>
      {props.back && (
        <Link to={props.back.to} className="btn btn-ghost -ml-3 mb-1 min-h-11 font-normal">
          <ArrowLeft className="size-4" aria-hidden="true" />
          {props.back.label}
        </Link>
      )}
      <header
        data-screen-head
        className={`${props.links ? "mb-3" : "mb-6"} ${props.save ? "lg:sticky lg:top-16 lg:z-10 lg:-mx-2 lg:-mt-2 lg:bg-base-200 lg:px-2 lg:py-2" : ""}`}
      >
        <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
          {/* What is left of the line is the title's. An action on a line of its own fills it. */}
          <div className="flex min-w-0 grow-99 basis-32 flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 wrap-anywhere font-semibold text-2xl tracking-tight">{props.title}</h1>
            {props.badge}
          </div>
          {(props.action || props.save) && (
            <div
              data-screen-action
              className={`ml-auto flex flex-wrap items-center justify-end gap-2 max-sm:grow max-sm:*:grow ${props.action ? "" : "max-lg:hidden"}`}
            >
              {props.action}
              {props.save && <HeadSave {...props.save} />}
            </div>
          )}
        </div>
        {props.text && <p className="mt-1 wrap-anywhere text-base-content/70 text-sm">{props.text}</p>}
      </header>
      {props.links && <nav className="mb-6 flex flex-wrap gap-2">{props.links}</nav>}
      {props.children}
    </div>
  );
}

function HeadSave({ label, note, cancel, ...form }: Save) {
  return (
    <span className="flex items-center gap-2 max-lg:hidden">
      {note !== undefined && (
        <span role="status" className="text-base-content/70 text-sm">
          {note}
        </span>
      )}
      {cancel && (
        <Link to={cancel} className="btn btn-ghost min-h-11">
          Cancelar
        </Link>
      )}
      <SubmitButton {...form}>{label}</SubmitButton>
    </span>
  );
}
