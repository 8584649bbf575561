import type { Preferences } from "../api/types";
import { formatWeight } from "../conversation/memoryEffects";
import { t } from "../text/language";

/** What the product starts from; a person's clicks move it from there. */
const START = { lexical: 0.4, dense: 0.6 };

/** How words and meaning are weighed for this person, beside where everyone starts. */
export function SearchWeights({ preferences }: { preferences: Preferences }) {
  const learned = preferences.optimal_weights ?? null;
  const lexical = learned?.lexical ?? START.lexical;
  const evidence = preferences.evidence ?? 0;
  return (
    <figure className="card px-5 py-4" data-testid="weights" aria-labelledby="weights-title">
      <figcaption id="weights-title" className="flex flex-wrap items-baseline gap-x-3">
        <b className="font-semibold">{t("How your searches are weighted")}</b>
        <span className="num text-[13px] text-ink-3">
          {learned ? t("learned from {n} observations, older ones counting less", { n: evidence.toFixed(1) }) : t("the default weights")}
        </span>
      </figcaption>
      <div
        className="relative mt-4 mb-1.5 flex h-3"
        role="img"
        aria-label={t("Words {words}, meaning {meaning}; the default is {first} and {second}", {
          words: formatWeight(lexical),
          meaning: formatWeight(1 - lexical),
          first: formatWeight(START.lexical),
          second: formatWeight(START.dense),
        })}
      >
        <i className="rounded-l-full bg-lexical transition-[width] duration-200" style={{ width: `${lexical * 100}%` }} />
        <i className="ml-0.5 flex-1 rounded-r-full bg-dense" />
        {learned && <i className="absolute -top-1.5 -bottom-1.5 w-px bg-ink" style={{ left: `${START.lexical * 100}%` }} title={t("Default")} />}
      </div>
      <div className="num flex text-[13px] text-ink-2" aria-hidden>
        <span>
          {t("words")} <b className="font-semibold text-ink">{formatWeight(lexical)}</b>
        </span>
        {learned && (
          <span className="mx-auto text-ink-3">
            {t("default")} {formatWeight(START.lexical)} / {formatWeight(START.dense)}
          </span>
        )}
        <span className="ml-auto data-[mid=true]:ml-0" data-mid={learned !== null}>
          {t("meaning")} <b className="font-semibold text-ink">{formatWeight(1 - lexical)}</b>
        </span>
      </div>
      {(preferences.reason || !learned) && (
        <p className="mt-2.5 text-[13.5px] text-ink-2">
          {preferences.reason} {!learned && t("Open the citations that helped and rate answers: this adjusts them slowly.")}
        </p>
      )}
    </figure>
  );
}
