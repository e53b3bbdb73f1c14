import { useRef, useState } from "react";
import { isCustomColor } from "#app/domain/storefront/build-palette.ts";
import { adviseColor, type ColorUse } from "#app/domain/storefront/sanitize/contrast.ts";
import { describedBy, type FieldMeta, FieldShell, textValue } from "#app/ui/seller/form/field.tsx";
import { useLive } from "#app/ui/seller/preview/live.ts";
import { Scripted } from "#app/ui/seller/scripted.tsx";

/**
 * A colour, picked or typed. Warns if text would be hard to read, and suggests the nearest readable colour. `consequence`
 * says what the page does about it, if anything. At the colour `givesWayAt`, its default, nothing is said: the page then
 * uses another one.
 */
export function ColorField(props: {
  field: FieldMeta;
  label: string;
  help: string;
  use: ColorUse;
  consequence: (nearest: string) => string;
  givesWayAt?: string;
}) {
  const { field } = props;
  const { changed } = useLive();
  const [text, setText] = useState(textValue(field) ?? "#000000");
  const valid = /^#[0-9a-f]{6}$/i.test(text);
  const lastValid = useRef(text);
  if (valid) lastValid.current = text;
  const isUsed = !props.givesWayAt || isCustomColor(text, props.givesWayAt);
  const advice = valid && isUsed ? adviseColor(text, props.use) : null;
  const applyColor = (color: string) => {
    setText(color);
    // After React has updated the picker's value.
    setTimeout(changed);
  };
  return (
    <div>
      <FieldShell field={field} label={props.label} help={props.help}>
        <span className="flex items-center gap-2">
          <input
            type="color"
            id={field.id}
            name={field.name}
            value={lastValid.current}
            onChange={(event) => setText(event.target.value)}
            className="h-11 w-14 shrink-0 cursor-pointer rounded-field border border-base-content/25 bg-base-100 p-1"
            {...describedBy(field, props.help)}
          />
          <Scripted>
            <input
              value={text}
              onChange={(event) => applyColor(event.target.value)}
              onBlur={() => setText(lastValid.current)}
              aria-label={`${props.label}, em hexadecimal`}
              aria-invalid={!valid || undefined}
              maxLength={7}
              spellCheck={false}
              className={`input h-11 w-32 font-mono text-base uppercase sm:text-sm ${valid ? "" : "input-error"}`}
            />
          </Scripted>
        </span>
      </FieldShell>
      <div role="status">
        {advice && (
          <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-field bg-base-200 px-3 py-2 text-xs">
            <p className="min-w-0 flex-1 basis-52">
              Contraste de {ratio(advice.ratio)}:1; para ler bem, {ratio(advice.needed)}:1.{" "}
              {props.consequence(advice.nearest.toUpperCase())}
            </p>
            <Scripted>
              <button
                type="button"
                className="btn btn-sm min-h-11"
                onClick={() => applyColor(advice.nearest)}
              >
                <span
                  className="size-4 rounded-full border border-base-content/25"
                  style={{ background: advice.nearest }}
                  aria-hidden="true"
                />
                Usar {advice.nearest.toUpperCase()}
              </button>
            </Scripted>
          </div>
        )}
      </div>
    </div>
  );
}

/** Rounded down: 4,49 is not 4,5. */
function ratio(value: number): string {
  return (Math.floor(value * 10) / 10).toLocaleString("pt-BR");
}
