//! graph-flow: a document that a person looks at.

use super::stub::*;

stubs! {
    model PdfExtractTask, SummaryIntegrationTask;
    human HumanReviewTask;
    tools ResearchSearchTask;
}

graph! {
    pub(crate) GraphFlowMedical(State, Deps) {
        start -> PdfExtractTask -> HumanReviewTask -> SummaryIntegrationTask -> ResearchSearchTask -> end;
    }
}
