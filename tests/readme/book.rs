#[derive(Clone, Debug, Default, Serialize, Deserialize, State)]
struct Paper {
    topics: Vec<String>,
    #[state(append)]
    parts: Vec<String>,
}

#[node(writes(topics))]
fn plan(_: &Paper) -> NodeResult<plan> {
    Ok(Paper::update().topics(["mugs", "plates"].map(String::from)))
}

#[node(writes(parts))]
async fn foreword(paper: &Paper) -> NodeResult<foreword> {
    Ok(Paper::update().parts([format!("On {}.", paper.topics.join(" and "))]))
}

#[router]
fn topics(paper: &Paper) -> Vec<String> {
    paper.topics.clone()
}

fn commission(_: &Paper, topic: &String) -> Update<Draft> {
    Draft::update().facts([format!("{topic} are round.")])
}

fn deliver(draft: &Draft) -> Update<Paper> {
    Paper::update().parts([draft.text.clone()])
}

graph! {
    Book(Paper) {
        start -> plan -> [foreword, each topics { chapter } -> collect] -> print -> end;
        chapter: graph Writer, enter(commission), exit(deliver), writes(parts), at_once(4);
        foreword: retry(3, backoff(500ms)), timeout(60s);
        chapter -> match { end | unfinished => collect };
    }
}

#[node]
fn collect(_: &Paper) {}

#[node]
fn print(_: &Paper) {}
