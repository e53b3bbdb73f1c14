import { z } from "zod";
import { MOST_REMINDERS, REMINDER_CHOICES } from "#app/domain/reminder/schedule/reminder-times.ts";

const choice = z.coerce
  .number()
  .refine(
    (minutes) => REMINDER_CHOICES.some((known) => known.minutes === minutes),
    "Escolha um dos tempos da lista",
  );

/** When buyers are reminded: minutes, empty where a reminder is off; sorted, each once. */
export const remindersForm = z
  .object({
    reminder: z
      .array(z.union([z.literal("").transform(() => null), choice]).optional())
      .max(MOST_REMINDERS, `No máximo ${MOST_REMINDERS} lembretes`)
      .default([]),
  })
  .transform(({ reminder }) => {
    const minutes = reminder.filter((each): each is number => typeof each === "number");
    return [...new Set(minutes)].sort((a, b) => a - b);
  });
