import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client";

/** The kept runs, the newest first; one that ends meanwhile is there when the page is looked at again. */
export const useEvaluationRuns = () => useQuery({ queryKey: ["evaluation", "runs"], queryFn: ({ signal }) => api.evaluationRuns(signal) });

export const useEvaluationSets = () => useQuery({ queryKey: ["evaluation", "sets"], queryFn: ({ signal }) => api.evaluationSets(signal) });

export const useEvaluationRun = (id: string) =>
  useQuery({ queryKey: ["evaluation", "run", id], queryFn: ({ signal }) => api.evaluationRun(id, signal), staleTime: 60_000 });

export const useEvaluationComparison = (before: string, after: string) =>
  useQuery({
    queryKey: ["evaluation", "comparison", before, after],
    queryFn: ({ signal }) => api.compareEvaluations(before, after, signal),
    enabled: before !== "" && after !== "",
    staleTime: 60_000,
  });
